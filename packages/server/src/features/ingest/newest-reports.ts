/** Place of a report in what its gateway counted: the outbox life, then the number in it. */
export interface CountedReport {
  epoch: number
  sequence: number
}

/**
 * Of the reports that share a key only the newest, by the gateway's counting and never by the order given: an insert
 * that updates may meet each row once. Of those counted alike (one item that names a thing twice) the last one given.
 */
export function newestReports<Report extends CountedReport>(
  reports: Iterable<Report>,
  keyOf: (report: Report) => string,
): Report[] {
  const newest = new Map<string, Report>()
  for (const report of reports) {
    const key = keyOf(report)
    const known = newest.get(key)
    if (known === undefined || !isOlder(report, known)) newest.set(key, report)
  }
  return [...newest.values()]
}

function isOlder(one: CountedReport, other: CountedReport): boolean {
  return one.epoch < other.epoch || (one.epoch === other.epoch && one.sequence < other.sequence)
}
