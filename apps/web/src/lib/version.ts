/** A row, and the version that identifies this state of it. An edit sends the version, so that it overwrites no other edit. */
export interface Versioned<T> {
  row: T;
  /** The ETag of the row. Empty if the response had none, because a proxy removed it. */
  version: string;
}

export const toVersioned = <T>({ data, headers }: { data: T; headers: Headers }): Versioned<T> => ({
  row: data,
  version: headers.get('ETag') ?? '',
});

/** The header with which the API rejects an edit if the row has another version now. */
export const ifMatch = (version: string) => ({ 'if-match': version || undefined });
