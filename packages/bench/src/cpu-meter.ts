// This module is preloaded into the servers that web-server.ts measures. It replies to each IPC message with the CPU time
// that the process has used.
process.on('message', () => process.send?.(process.cpuUsage()));
process.channel?.unref();
