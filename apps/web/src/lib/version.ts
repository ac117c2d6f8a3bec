/** A row and its version. An edit sends the version, so that it cannot overwrite another edit. */
export interface Versioned<T> {
  row: T;
  /** The ETag of the row. Empty if a proxy has removed the ETag. */
  version: string;
}

export const toVersioned = <T>({ data, headers }: { data: T; headers: Headers }): Versioned<T> => ({
  row: data,
  version: headers.get('ETag') ?? '',
});

/** Returns the header that makes the API reject an edit if the row has another version now. */
export const ifMatch = (version: string) => ({ 'if-match': version || undefined });
