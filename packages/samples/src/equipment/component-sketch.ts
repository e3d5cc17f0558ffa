import type { ThresholdRule } from '@benchwatch/contract/vocabulary'

/** A usage metric of a component. */
export interface Metric {
  metric: string
  unit: string | null
  rule: ThresholdRule
  thresholds: readonly number[]
  /**
   * Change over time: grows with the run time and reaches `to` after a number of ordinary weeks, or counts the days
   * down from `from`. Null if the component does not report it.
   */
  moves: { to: number; weeks: number } | { from: number } | null
}

/** A part of an instrument whose usage is counted. */
export interface ComponentSketch {
  /** Component name ending in the module in parentheses, as in faults. */
  component: string
  article: string
  /** The part is replaced every few services, or after a number of days regardless of services. */
  replaced: { services: number } | { days: number }
  metrics: readonly Metric[]
  hasFirmware: boolean
}

const maximum = (metric: string, unit: string, grows: { to: number; weeks: number }): Metric => ({
  metric,
  unit,
  rule: 'MAXIMUM_USAGE',
  thresholds: [grows.to],
  moves: grows,
})
const highSafe = (metric: string, safe: number, grows: { to: number; weeks: number }): Metric => ({
  metric,
  unit: 'h',
  rule: 'HIGH_SAFE_USAGE',
  thresholds: [safe, grows.to],
  moves: grows,
})
const countDown = (metric: string, thresholds: readonly [number, number], from: number): Metric => ({
  metric,
  unit: 'days',
  rule: 'COUNT_DOWN',
  thresholds,
  moves: { from },
})
const unknown = (metric: string, unit: string, grows: { to: number; weeks: number }): Metric => ({
  metric,
  unit,
  rule: 'UNKNOWN_THRESHOLD',
  thresholds: [],
  moves: grows,
})

export function pistonPump(component: string): ComponentSketch {
  return {
    component,
    article: '28-9792-08',
    replaced: { services: 1 },
    metrics: [
      maximum('Piston seals', 'strokes', { to: 2_000_000, weeks: 52 }),
      unknown('Pumped volume', 'l', { to: 1_400, weeks: 52 }),
    ],
    hasFirmware: true,
  }
}

export function diaphragmPump(component: string): ComponentSketch {
  return {
    component,
    article: '29-0233-71',
    replaced: { services: 1 },
    metrics: [
      highSafe('Diaphragms', 2_500, { to: 4_000, weeks: 58 }),
      unknown('Pumped volume', 'm³', { to: 820, weeks: 52 }),
    ],
    hasFirmware: true,
  }
}

export function peristalticPump(component: string): ComponentSketch {
  return {
    component,
    article: '28-9180-44',
    replaced: { days: 61 },
    metrics: [maximum('Tubing', 'h', { to: 500, weeks: 8 })],
    hasFirmware: false,
  }
}

export function uvMonitor(component: string): ComponentSketch {
  return {
    component,
    article: '28-9563-78',
    replaced: { services: 2 },
    metrics: [highSafe('UV lamp', 3_000, { to: 5_000, weeks: 110 })],
    hasFirmware: true,
  }
}

export function valve(component: string): ComponentSketch {
  return {
    component,
    article: '28-9572-27',
    replaced: { services: 2 },
    metrics: [maximum('Switchings', 'switches', { to: 100_000, weeks: 105 })],
    hasFirmware: true,
  }
}

export function conductivityMonitor(component: string): ComponentSketch {
  return {
    component,
    article: '28-9564-95',
    replaced: { days: 182 },
    metrics: [countDown('Calibration due', [30, 7], 182)],
    hasFirmware: true,
  }
}

export function phElectrode(component: string): ComponentSketch {
  return {
    component,
    article: '28-9542-15',
    replaced: { days: 118 },
    metrics: [countDown('Electrode', [21, 5], 112)],
    hasFirmware: false,
  }
}

export function airSensor(component: string): ComponentSketch {
  return {
    component,
    article: '28-9565-02',
    replaced: { services: 3 },
    metrics: [unknown('Air detected', 'times', { to: 240, weeks: 52 })],
    hasFirmware: false,
  }
}

export function fractionCollector(component: string): ComponentSketch {
  return {
    component,
    article: '29-0277-43',
    replaced: { services: 2 },
    metrics: [
      maximum('Arm movements', 'moves', { to: 500_000, weeks: 115 }),
      highSafe('Drive belt', 2_400, { to: 4_000, weeks: 120 }),
    ],
    hasFirmware: true,
  }
}

export function pressureSensor(component: string): ComponentSketch {
  return {
    component,
    article: '29-0111-60',
    replaced: { days: 368 },
    metrics: [countDown('Calibration due', [45, 10], 365)],
    hasFirmware: false,
  }
}

/** Column: the instrument does not count its runs, so the metric has no value and no threshold. */
export function column(component: string): ComponentSketch {
  return {
    component,
    article: '17-5081-02',
    replaced: { services: 1 },
    metrics: [{ metric: 'Runs', unit: 'runs', rule: 'MAXIMUM_USAGE', thresholds: [], moves: null }],
    hasFirmware: false,
  }
}

/** Tubing, sensors and pump heads of a single-use flow path. */
export function flowKit(component: string): ComponentSketch {
  return {
    component,
    article: '29-2741-05',
    replaced: { days: 28 },
    metrics: [countDown('Use within', [7, 2], 27), maximum('Batches', 'batches', { to: 12, weeks: 4 })],
    hasFirmware: false,
  }
}

export function membranes(component: string): ComponentSketch {
  return {
    component,
    article: '56-4102-11',
    replaced: { days: 168 },
    metrics: [maximum('Cleaning cycles', 'cycles', { to: 60, weeks: 22 })],
    hasFirmware: false,
  }
}

export function controlUnit(component: string): ComponentSketch {
  return {
    component,
    article: '29-0063-19',
    replaced: { services: 8 },
    metrics: [unknown('Power on', 'h', { to: 8_700, weeks: 52 })],
    hasFirmware: true,
  }
}

export function rocker(component: string): ComponentSketch {
  return {
    component,
    article: '28-9411-15',
    replaced: { services: 2 },
    metrics: [
      highSafe('Drive belt', 6_000, { to: 9_000, weeks: 96 }),
      maximum('Rocking motions', 'motions', { to: 15_000_000, weeks: 130 }),
    ],
    hasFirmware: true,
  }
}

export function gasMixer(component: string): ComponentSketch {
  return {
    component,
    article: '28-9411-39',
    replaced: { services: 2 },
    metrics: [highSafe('Gas sensor', 8_000, { to: 12_000, weeks: 105 })],
    hasFirmware: true,
  }
}

/** Optical sensor in the bag of a culture. */
export function bagSensor(component: string): ComponentSketch {
  return {
    component,
    article: '29-0487-70',
    replaced: { days: 30 },
    metrics: [countDown('Bag sensor', [7, 2], 28)],
    hasFirmware: false,
  }
}

export function battery(component: string): ComponentSketch {
  return {
    component,
    article: '29-3310-08',
    replaced: { days: 1_110 },
    metrics: [countDown('Battery', [90, 30], 1_095)],
    hasFirmware: false,
  }
}

export function ioModule(component: string): ComponentSketch {
  return {
    component,
    article: '29-3305-21',
    replaced: { services: 4 },
    metrics: [maximum('Relays', 'switches', { to: 1_000_000, weeks: 230 })],
    hasFirmware: true,
  }
}
