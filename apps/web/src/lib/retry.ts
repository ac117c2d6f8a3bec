/** Milliseconds before the second attempt: a phone that changes networks is back within this time. */
const retryDelayMs = 500;

/**
 * Reads again once when the first attempt fails in a way that may pass. Only for reads: a write whose answer was lost may
 * have been saved.
 */
export async function retryOnce<T>(
  read: () => Promise<T>,
  mayPass: (error: unknown) => boolean = () => true,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!mayPass(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    return read();
  }
}
