/** The assets that a write changes, as the third party names them. */
export interface AffectedAssets {
  readonly hosts: string[];
  readonly users: string[];
  readonly tags: string[];
}
