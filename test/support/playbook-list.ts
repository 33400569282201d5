import type { TestProject } from 'vitest/node';
import { writePlaybookList } from '../../dev/build/playbook-list.js';

/** Every project imports the generated list of playbooks, so each one writes it before its first file. */
export default function setup(project: TestProject): void {
  writePlaybookList();
  project.onTestsRerun(() => writePlaybookList());
}
