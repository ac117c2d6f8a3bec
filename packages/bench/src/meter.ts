// This module is preloaded into each server that a benchmark measures. For each IPC message, it replies with the CPU time that
// the process has used. For the message `memory`, it replies with the memory that the process uses. The heap is measured after
// a garbage collection, which needs --expose-gc.
process.on('message', (message) => process.send?.(message === 'memory' ? readMemory() : process.cpuUsage()));
process.channel?.unref();

function readMemory() {
  const { rss } = process.memoryUsage();
  globalThis.gc?.();
  return { rss, heapUsed: process.memoryUsage().heapUsed };
}
