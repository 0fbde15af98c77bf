import { expect, it } from 'vitest';
import { html, Markup } from './markup.ts';

it('escapes what is not markup, in text and in attributes', () => {
  const hostile = `<script>alert("1")</script>'&`;
  expect(html`<p title="${hostile}">${hostile}${new Markup('<b>')}${[1, undefined, '<']}</p>`.text).toBe(
    `<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;<b>1&lt;</p>`,
  );
});

it('shows characters that steer instead of obeying them', () => {
  expect(html`${'a\u202eb\u0000c\u2066\ud800'}`.text).toBe('a\\u202eb\\u0000c\\u2066\\ud800');
});
