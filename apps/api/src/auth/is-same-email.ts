/** Whether two email addresses are equal, ignoring case and surrounding spaces. An empty address equals no other. */
export function isSameEmail(a: string, b: string): boolean {
  const normalized = a.trim().toLowerCase();
  return normalized !== '' && normalized === b.trim().toLowerCase();
}
