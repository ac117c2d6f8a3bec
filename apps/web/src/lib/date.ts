const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Returns the UTC day of a timestamp, such as '4 March 2026'. It is the same on the server and in every browser. */
export const dayOf = (timestamp: string): string => format.format(Date.parse(timestamp));
