import { createLogger } from '../../../platform/log.js';

const log = createLogger('info', 'local', { pretty: process.argv[2] === 'pretty' });
log.info({ elapsedMs: 7, password: 'hunter2', req: { headers: { authorization: 'Bearer hunter2' } } }, 'Postgres: ready');
log.debug('never shown');
process.stdout.write('the summary\n');
log.warn('after it');
process.exit();
