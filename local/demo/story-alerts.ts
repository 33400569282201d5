import { COMPUTERS, INDICATORS, PEOPLE } from '../../connectors/kit/stand-in/company.js';

const [DANA_PC, , FILE_SERVER, INES_MAC] = COMPUTERS;
const [DANA, RUI, , , MILA] = PEOPLE;
const mail = (sender: string, recipient: string, text: string) => `From: ${sender}\nTo: ${recipient}\nSubject: Your parcel\n\n${text}`;

/** For each written playbook: one alert that is malicious and one that only looks malicious. The stand-ins know both. */
export const STORY_ALERTS = [
  {
    playbook: 'impossibleTravel',
    malicious: {
      type: 'Impossible travel',
      content: `user=${DANA.email} signed in from Singapore (${INDICATORS.maliciousIp}) two hours after a sign-in from ${DANA.office}`,
    },
    benign: {
      type: 'Impossible travel',
      content: `user=${RUI.email} signed in from Singapore (${INDICATORS.benignIp}) two hours after a sign-in from ${RUI.office}`,
    },
  },
  {
    playbook: 'malwareOnHost',
    malicious: {
      type: 'Malware detected',
      content: `host=${DANA_PC.dnsName} user=${DANA.email} file=parcel-label.exe sha256=${INDICATORS.malwareSha256} action=quarantined`,
    },
    benign: {
      type: 'Malware detected',
      content: `host=${INES_MAC.dnsName} file=inventory sha256=${INDICATORS.benignSha256} action=none`,
    },
  },
  {
    playbook: 'reportedPhishing',
    malicious: {
      type: 'Reported phishing',
      content: mail(
        `notice@${INDICATORS.maliciousDomain}`,
        DANA.email,
        `Verify your account at ${INDICATORS.maliciousUrl} within 24 hours.`,
      ),
    },
    benign: {
      type: 'Reported phishing',
      content: mail(`news@${INDICATORS.benignDomain}`, MILA.email, `Our news: ${INDICATORS.benignUrl}`),
    },
  },
  {
    playbook: 'vulnerableHost',
    malicious: { type: 'Vulnerable host', content: `host=${FILE_SERVER.dnsName} has ${INDICATORS.exploitedCve} in gateway-client 1.0` },
    benign: { type: 'Vulnerable host', content: `host=${INES_MAC.dnsName} has ${INDICATORS.exploitedCve} in gateway-client 1.0` },
  },
  {
    playbook: 'detectedIncident',
    malicious: { type: 'Detected incident', content: 'Incident id: 2041, Multi-stage incident involving phishing and malware' },
    benign: { type: 'Detected incident', content: 'Incident id: 2039, Uncommon administration tool on one endpoint' },
  },
  {
    playbook: 'leakedCredential',
    malicious: { type: 'Leaked credential', content: `${DANA.email} was seen in stealer logs; host=${DANA_PC.dnsName}` },
    benign: { type: 'Leaked credential', content: `${MILA.email} was seen in an old list of passwords` },
  },
] as const;
