// Preloaded into every child. The channel to the parent closes when the parent is gone, a `kill -9` of it included; the
// child's process group then ends as if asked to, so that each saves what it holds.
process.once('disconnect', () => {
  process.kill(0, 'SIGTERM');
  setTimeout(() => process.kill(0, 'SIGKILL'), 15_000).unref();
});
process.channel?.unref();
