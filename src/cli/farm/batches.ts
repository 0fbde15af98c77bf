/** Writes a number of batches with its noun: "1 batch", "8 batches". */
export const batchesText = (count: number): string => `${count} ${count === 1 ? 'batch' : 'batches'}`;
