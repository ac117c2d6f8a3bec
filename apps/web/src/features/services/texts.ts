/** Shown where the lister said nothing. */
const text = {
  untitled: 'Untitled service',
  noPrice: 'Price on request',
};

export const titleOf = ({ title }: { title: string }) => title.trim() || text.untitled;
export const priceOf = ({ price }: { price: string }) => price.trim() || text.noPrice;

const cut = 100;
const characters = new Intl.Segmenter();
/** Latin letters and common punctuation, each of which is one character for a reader. Counting those is much faster. */
const plain = /^[ -~\u00a1-\u00a8\u00c0-\u02ff\u2010-\u2026]*$/;

/** The first 100 characters, as a reader counts them, with '...' when there are more. An emoji is never split. */
export function excerptOf(description: string): string {
  const head = description.slice(0, cut + 1);
  if (plain.test(head)) return head.length > cut ? `${description.slice(0, cut)}...` : description;
  // 100 characters are rarely more than a few hundred units; the rest of a long text is not walked through.
  let count = 0;
  for (const { index } of characters.segment(description)) {
    if (count === cut) return `${description.slice(0, index)}...`;
    count += 1;
  }
  return description;
}
