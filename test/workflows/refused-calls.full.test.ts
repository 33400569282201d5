import { CALLED_CONNECTORS, describeRefusedCalls } from './refused-calls.js';

describeRefusedCalls(CALLED_CONNECTORS.filter((name) => name !== 'threatIntelligence'));
