/** True if two email addresses are equal, apart from upper and lower case and surrounding spaces. Two empty addresses are not equal. */
export function isSameEmail(a: string, b: string): boolean {
  const normalized = a.trim().toLowerCase();
  return normalized !== '' && normalized === b.trim().toLowerCase();
}
