// `npm run audit`: known vulnerabilities of what is installed in production. It fails for findings that are high or critical,
// and says aloud, without failing, where no registry could be asked. Arguments are npm's.
import { spawnSync } from 'node:child_process';

const args = ['audit', '--omit=dev', '--audit-level=high', '--json', '--fetch-retries=0', '--fetch-timeout=20000'];
const { stdout } = spawnSync('npm', [...args, ...process.argv.slice(2)], { encoding: 'utf8', maxBuffer: 2 ** 26 });

/** The report, or undefined where npm gives only the error of asking for it. */
function reportOf(text) {
  try {
    const report = JSON.parse(text);
    return report.auditReportVersion === undefined ? undefined : report;
  } catch {
    return undefined;
  }
}

const report = reportOf(stdout);
if (!report) {
  console.log('SKIPPED: no registry answered what is known of the dependencies; run `npm run audit` where one does');
} else {
  const { high, critical, total } = report.metadata.vulnerabilities;
  for (const { name, severity, via } of Object.values(report.vulnerabilities)) {
    // By way of another package, or by an advisory of its own.
    const why = via.map((each) => (typeof each === 'string' ? each : `${each.title} ${each.url}`));
    console.log(`${severity}: ${name} (${why.join('; ')})`);
  }
  console.log(`${total} known vulnerabilities in production dependencies, ${high + critical} of them high or critical`);
  if (high + critical > 0) process.exitCode = 1;
}
