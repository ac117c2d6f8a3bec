// This module is preloaded into every child process. When the parent process ends, even by SIGKILL, the IPC channel closes.
// The process group of the child then receives SIGTERM, so that each process can save its data. After 15 s, the process
// group receives SIGKILL.
process.once('disconnect', () => {
  process.kill(0, 'SIGTERM');
  setTimeout(() => process.kill(0, 'SIGKILL'), 15_000).unref();
});
process.channel?.unref();
