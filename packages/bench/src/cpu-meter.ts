// Preloaded into the servers that web-server.ts measures: answers each message with the CPU time of this process so far.
process.on('message', () => process.send?.(process.cpuUsage()));
process.channel?.unref();
