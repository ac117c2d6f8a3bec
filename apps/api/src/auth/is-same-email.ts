/** True if two email addresses are equal. Case and surrounding spaces are ignored. Two empty addresses are not equal. */
export function isSameEmail(a: string, b: string): boolean {
  const normalized = a.trim().toLowerCase();
  return normalized !== '' && normalized === b.trim().toLowerCase();
}
