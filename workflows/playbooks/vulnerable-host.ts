import { enrich, findMachines, limitItems, listValues, toAccountName, toShortHostName, weighReputation } from '../lib/playbook-helpers.js';
import { playbook } from '../playbook.js';

/** Checks whether the vulnerability is present, whether an exploit exists and which update fixes it. */
export const vulnerableHost = playbook(
  {
    alertTypes: [
      'Vulnerable host',
      'Vulnerable asset',
      'Vulnerability on host',
      'Vulnerability detected',
      'Vulnerability found',
      'Vulnerability alert',
      'Critical vulnerability',
      'Critical vulnerability detected',
      'Exploitable vulnerability',
      'New vulnerability',
      'CVE detected',
    ],
    severity: 'medium',
  },
  async (context) => {
    const { entities, skills, evidence } = context;
    const cves = limitItems(evidence, 'vulnerability', listValues(entities, 'cve'));
    const hosts = limitItems(evidence, 'host', listValues(entities, 'host'));
    if (cves.length === 0) evidence.gap('No vulnerability named', 'The alert contains no CVE to look up.');
    const [machines, aboutCves, described, affected, assets, investigations] = await Promise.all([
      findMachines(context),
      enrich({ skills }, 'vulnerability', cves),
      Promise.all(cves.map((cve_id) => skills.endpointDetection.listVulnerabilities({ cve_id, max_items: 1 }))),
      Promise.all(cves.map((cve_id) => skills.endpointDetection.listMachinesVulnerabilities({ cve_id, max_items: 500 }))),
      Promise.all(hosts.map((hostname) => skills.vulnerabilityInvestigation.searchVulnerabilitiesOfAsset({ hostname, max_items: 500 }))),
      skills.vulnerabilityInvestigation.listInvestigations({ statuses: ['OPEN', 'INVESTIGATING'], max_items: 200 }),
    ]);

    const ids = new Set(machines.map(({ machine }) => machine.id));
    const onMachines = affected
      .flatMap((answer) => answer?.items ?? [])
      .filter(({ machineId }) => hosts.length === 0 || ids.has(machineId ?? ''));
    const onAssets = assets
      .flatMap((answer) => answer?.items ?? [])
      .filter((found) => found.cves.some((cve) => cves.includes(cve.toUpperCase())));
    if (onMachines.length === 0 && onAssets.length === 0) {
      // Only a platform that knows the device and returned the whole list can rule the vulnerability out.
      const endpointKnows = (hosts.length === 0 || ids.size > 0) && affected.every((answer) => answer?.cut === null);
      const scannerKnows = assets.length > 0 && assets.every((answer) => answer?.cut === null && answer.assets.length > 0);
      const isRuledOut = cves.length > 0 && (endpointKnows || scannerKnows);
      const reason = `No platform found ${cves.join(', ')} on ${hosts.join(', ') || 'any device'}.`;
      if (isRuledOut) evidence.finding(-40, 'Vulnerability not found', reason, { from: affected[0] ?? assets[0] ?? null });
      else evidence.gap('Vulnerability not confirmed', 'No platform both knows the device and returned a complete list.');
      return;
    }
    const where = [
      ...onMachines.map((each) => `${each.productName} ${each.productVersion}`),
      ...onAssets.map((each) => each.title ?? 'a product'),
    ];
    const found = `${cves.join(', ')} in ${[...new Set(where)].slice(0, 5).join(', ')} on ${hosts.join(', ') || `${onMachines.length} devices`}.`;
    evidence.finding(20, 'Vulnerability confirmed', found, { from: affected.find((answer) => answer?.items.length) ?? assets[0] ?? null });
    const severities = [...onMachines, ...onAssets].map(({ severity }) => severity?.toLowerCase());
    if (severities.some((severity) => severity === 'critical' || severity === 'high'))
      evidence.finding(15, 'High severity', `Rated ${[...new Set(severities)].join(', ')}.`);

    const repute = weighReputation(evidence, aboutCves, { what: 'vulnerability', bad: 35, doubtful: 10, good: -10, techniques: ['T1190'] });
    const known = described.flatMap((answer) => answer?.items ?? []);
    const exploited = known.find(({ publicExploit, exploitVerified, exploitInKit }) => publicExploit || exploitVerified || exploitInKit);
    const tools = onAssets.find(({ exploits, malware_kits }) => (exploits ?? 0) + (malware_kits ?? 0) > 0);
    if (exploited || tools)
      evidence.finding(10, 'Public exploit', `For ${exploited?.id ?? tools?.title}: EPSS ${exploited?.epss ?? 'unknown'}.`, {
        from: described.find((answer) => answer?.items.length) ?? null,
        techniques: ['T1190'],
      });
    else if (repute === 'good' && known.length === cves.length && known.every(({ publicExploit }) => publicExploit === false))
      evidence.finding(-30, 'No known exploitation', 'No public exploit is known, and the reputation is good.', {
        from: described[0] ?? null,
      });

    const names = [...hosts.map(toShortHostName), ...listValues(entities, 'user').map(toAccountName)].filter((name) => name.length >= 4);
    const open = (investigations?.items ?? []).filter(({ title }) => names.some((name) => title?.toLowerCase().includes(name)));
    if (open.length > 0)
      evidence.finding(
        20,
        'Open investigation about the same asset',
        open
          .slice(0, 5)
          .map(({ title }) => title)
          .join('; '),
        { from: investigations },
      );

    const products = limitItems(
      evidence,
      'product',
      onMachines.flatMap(({ productName }) => productName ?? []),
    );
    const advice = await Promise.all(
      products.map((product_name) => skills.endpointDetection.listRecommendations({ product_name, max_items: 5 })),
    );
    for (const { recommendationName, recommendedVersion } of advice.flatMap((answer) => answer?.items ?? []))
      evidence.note(`Recommended: ${recommendationName}`, `Update to version ${recommendedVersion ?? 'unknown'}.`);
    for (const remedy of new Set(onAssets.flatMap(({ solution_summary }) => solution_summary ?? [])))
      evidence.note(`Recommended: ${remedy}`, 'Recommended by the vulnerability platform.');
  },
);
