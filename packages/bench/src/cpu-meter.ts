// This module is preloaded into each server that web-server.ts measures. For each IPC message, it replies with the CPU time
// that the process has used.
process.on('message', () => process.send?.(process.cpuUsage()));
process.channel?.unref();
