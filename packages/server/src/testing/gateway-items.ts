/** Items as a gateway writes them, with a counter for ids, sequences and times. */
export interface GatewayItems {
  raised(data?: Record<string, unknown>, envelope?: Record<string, unknown>): Record<string, unknown>
  cleared(alertId: string, envelope?: Record<string, unknown>): Record<string, unknown>
  status(instrumentStatus: string, envelope?: Record<string, unknown>, run?: string | null): Record<string, unknown>
  log(lines: readonly Record<string, unknown>[], envelope?: Record<string, unknown>): Record<string, unknown>
  usage(components: readonly unknown[], envelope?: Record<string, unknown>): Record<string, unknown>
  runtime(day: string, seconds: unknown, envelope?: Record<string, unknown>): Record<string, unknown>
  clients(data?: Record<string, unknown>, envelope?: Record<string, unknown>): Record<string, unknown>
  heartbeat(data?: Record<string, unknown>): Record<string, unknown>
}

/**
 * Creates items of one lifetime of a gateway's outbox. Each is one second later than the one before; the subject is
 * the first instrument of the sample fleet by default.
 */
export function gatewayItems(epoch: string, start: Date, gateway = 'GW-UPP-01'): GatewayItems {
  let sequence = 0
  const item = (type: string, data: unknown, envelope: Record<string, unknown> = {}) => {
    sequence += 1
    return {
      specversion: '1.0',
      id: `${epoch}-${sequence}`,
      source: `/gateways/${gateway}`,
      type: `benchwatch.${type}`,
      subject: 'IP-20431187',
      time: new Date(start.getTime() + sequence * 1000).toISOString(),
      sequence,
      data,
      ...envelope,
    }
  }
  return {
    raised: (data, envelope) =>
      item(
        'alarm.raised',
        {
          alertId: `${epoch}-alert-${sequence + 1}`,
          templateId: 'P9B-1042',
          alertType: 1,
          componentName: 'Pump B (P9-B)',
          logGeneratedAt: new Date(start.getTime() + (sequence + 1) * 1000).toISOString(),
          ...data,
        },
        envelope,
      ),
    cleared: (alertId, envelope) => item('alarm.cleared', { alertId }, envelope),
    status: (instrumentStatus, envelope, run) =>
      item('status.changed', { instrumentStatus, ...(run !== undefined && { run }) }, envelope),
    log: (lines, envelope) => item('log.appended', { logType: 'VID', lines }, envelope),
    usage: (components, envelope) => item('usage.sampled', { components }, envelope),
    runtime: (day, seconds, envelope) => item('runtime.measured', { day, seconds }, envelope),
    clients: (data, envelope) => item('clients.changed', { clientPcNames: [], ...data }, envelope),
    heartbeat: (data = {}) => item('heartbeat', data, { subject: gateway }),
  }
}
