/** The assets that a write changes, as the third party names them. */
export interface AffectedAssets {
  readonly hosts: string[];
  readonly users: string[];
  readonly tags: string[];
  /** Those of the hosts that are not known to be workstations. Earlier versions did not store them. */
  readonly servers?: string[];
}
