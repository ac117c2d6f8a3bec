// Preloaded into every child process. When the parent process ends, even by SIGKILL, the IPC channel closes. The process
// group of the child then gets SIGTERM, so that each process can save its data, and SIGKILL after 15 s.
process.once('disconnect', () => {
  process.kill(0, 'SIGTERM');
  setTimeout(() => process.kill(0, 'SIGKILL'), 15_000).unref();
});
process.channel?.unref();
