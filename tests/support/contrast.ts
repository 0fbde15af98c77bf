/** A script for the page: finds the text with the least WCAG 2 contrast to the nearest background behind it. */
export const LEAST_CONTRAST = `(() => {
  const channels = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = (colour) => {
    const [r, g, b] = channels(colour).slice(0, 3).map((x) => {
      const share = x / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (channels(colour)[3] !== 0) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  let least = { ratio: Infinity, text: '' };
  for (const element of document.querySelectorAll('h1,h2,h3,h4,p,b,a,dt,dd,th,td,small,code,button,figcaption,label,li,svg text')) {
    if (element.textContent.trim() === '' || element.getClientRects().length === 0) continue;
    const style = getComputedStyle(element);
    const colour = element instanceof SVGElement ? style.fill : style.color;
    const [light, dark] = [luminance(colour), luminance(behind(element))].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < least.ratio) least = { ratio, text: element.tagName + ' ' + element.textContent.slice(0, 40) };
  }
  return least;
})()`;
