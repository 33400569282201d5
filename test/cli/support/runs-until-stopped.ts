import { stopWithNpm } from '../../../cli/stop-with-npm.js';

stopWithNpm();
setInterval(() => undefined, 1_000);
process.once('SIGTERM', () => {
  process.stdout.write('stopped in order\n');
  process.exit();
});
process.stdout.write('started\n');
