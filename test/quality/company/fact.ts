import type { ThirdParties } from '../../../connectors/stand-ins.js';

/** Adds one fact to the stand-ins. */
export type Fact = (standIns: ThirdParties['standIns']) => void;
