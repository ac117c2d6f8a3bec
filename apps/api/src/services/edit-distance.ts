/**
 * Returns the number of edits between two words. An edit is a wrong, missing or additional letter, or two swapped letters
 * (optimal string alignment distance).
 */
export function editDistance(one: string, other: string): number {
  const [a, b] = [Array.from(one), Array.from(other)];
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of a.entries()) {
    const current = [row + 1];
    for (const [column, otherLetter] of b.entries()) {
      const replaced = (previous[column] ?? 0) + (letter === otherLetter ? 0 : 1);
      const isSwap = row > 0 && column > 0 && letter === b[column - 1] && a[row - 1] === otherLetter;
      current.push(
        Math.min(
          replaced,
          (previous[column + 1] ?? 0) + 1,
          (current[column] ?? 0) + 1,
          isSwap ? (beforePrevious[column - 1] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous.at(-1) ?? 0;
}
