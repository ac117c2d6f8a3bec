// Preloaded into every child process. The IPC channel closes when the parent ends, even by SIGKILL. The process group of
// the child then gets SIGTERM, so that each process saves its data, and SIGKILL after 15 s.
process.once('disconnect', () => {
  process.kill(0, 'SIGTERM');
  setTimeout(() => process.kill(0, 'SIGKILL'), 15_000).unref();
});
process.channel?.unref();
