/** True if two email addresses are equal, ignoring case and surrounding spaces. An empty address is never equal to another. */
export function isSameEmail(a: string, b: string): boolean {
  const normalized = a.trim().toLowerCase();
  return normalized !== '' && normalized === b.trim().toLowerCase();
}
