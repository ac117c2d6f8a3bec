import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// This module is preloaded into the API and the web server. On the message `collect garbage`, it frees all unused memory, so
// that a test can measure the memory that is in use.
process.on('message', (message) => {
  if (message !== 'collect garbage') return;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  process.send?.('collected');
});
process.channel?.unref();
