/** Starts a process of the service and stops it in order on SIGINT or SIGTERM. */
export async function runProcess(start: () => Promise<() => Promise<void>>): Promise<void> {
  const stop = await start();
  let stopping = false;
  const onSignal = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await stop();
    process.exit(0);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}
