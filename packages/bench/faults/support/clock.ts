// This module is preloaded into the API and the web server, so that tests can change their clocks. The message `clock <ms>
// <ms>` contains the offsets of the wall clock and of the monotonic clock.
const offsets = { wallMs: 0, monotonicMs: 0 };
const RealDate = Date;
const realNow = performance.now.bind(performance);

class ShiftedDate extends RealDate {
  constructor(...args: unknown[]) {
    super(...((args.length === 0 ? [RealDate.now() + offsets.wallMs] : args) as [number]));
  }

  static override now(): number {
    return RealDate.now() + offsets.wallMs;
  }
}

// The programs keep references to `Date.now`, so it must be replaced before they start.
globalThis.Date = ShiftedDate as DateConstructor;
performance.now = () => realNow() + offsets.monotonicMs;

process.on('message', (message) => {
  const [name, wallMs, monotonicMs] = String(message).split(' ');
  if (name !== 'clock') return;
  Object.assign(offsets, { wallMs: Number(wallMs), monotonicMs: Number(monotonicMs) });
  process.send?.('set');
});
process.channel?.unref();
