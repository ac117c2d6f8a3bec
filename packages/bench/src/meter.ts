// This module is preloaded into each server that a benchmark measures. For each IPC message, it replies with the CPU time
// that the process has used, or with its memory. For the message `heap`, it collects the garbage first, which needs the
// argument --expose-gc of Node.js.
process.on('message', (message) => {
  if (message === 'heap') globalThis.gc?.();
  process.send?.(message === 'cpu' ? process.cpuUsage() : process.memoryUsage());
});
process.channel?.unref();
