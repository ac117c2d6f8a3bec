// This module is preloaded into each server that a benchmark measures. It replies to each IPC message with the CPU time that the
// process has used.
process.on('message', () => process.send?.(process.cpuUsage()));
process.channel?.unref();
