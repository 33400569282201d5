import { writePlaybookList } from './playbook-list.js';

// Imported before whatever registers playbooks (`node --import`), so that a new file of the folder needs no line elsewhere.
writePlaybookList();
