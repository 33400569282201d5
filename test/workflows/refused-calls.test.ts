import { describeRefusedCalls } from './refused-calls.js';

describeRefusedCalls(['threatIntelligence']);
