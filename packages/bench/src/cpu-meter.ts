// Preloaded into the servers that web-server.ts measures. Answers each message with the CPU time of the process.
process.on('message', () => process.send?.(process.cpuUsage()));
process.channel?.unref();
