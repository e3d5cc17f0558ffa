import {
  airSensor,
  bagSensor,
  battery,
  type ComponentSketch,
  column,
  conductivityMonitor,
  controlUnit,
  diaphragmPump,
  flowKit,
  fractionCollector,
  gasMixer,
  ioModule,
  membranes,
  peristalticPump,
  phElectrode,
  pistonPump,
  pressureSensor,
  rocker,
  uvMonitor,
  valve,
} from './component-sketch.ts'
import type { InstrumentType } from './instrument-type.ts'

const bench = [
  pistonPump('Pump A (P9-A)'),
  pistonPump('Pump B (P9-B)'),
  pistonPump('Sample pump (P9-S)'),
  uvMonitor('UV monitor (U9-M)'),
  conductivityMonitor('Conductivity monitor (C9)'),
  phElectrode('pH valve (V9-pH)'),
  valve('Injection valve (V9-Inj)'),
  valve('Column valve (V9-C)'),
  valve('Outlet valve (V9-O)'),
]
const pilot = [
  diaphragmPump('Pump A (P9-A)'),
  diaphragmPump('Pump B (P9-B)'),
  diaphragmPump('Sample pump (P9-S)'),
  uvMonitor('UV monitor (U9-M)'),
  conductivityMonitor('Conductivity monitor (C9)'),
  phElectrode('pH monitor (pH-910)'),
  pressureSensor('Pressure sensor (R9-Pre)'),
  valve('Column valve (V9-C)'),
  valve('Outlet valve (V9-O)'),
  airSensor('Air sensor (L9-1.5)'),
  column('Column (COL-1)'),
]
const production = [
  diaphragmPump('System pump A (P-201)'),
  diaphragmPump('System pump B (P-202)'),
  uvMonitor('UV monitor (QIA-401)'),
  conductivityMonitor('Conductivity cell (CIA-402)'),
  phElectrode('pH electrode (AIA-403)'),
  pressureSensor('Pre-column pressure (PIA-301)'),
  valve('Inlet valve block (XV-100)'),
  valve('Column valve block (XV-500)'),
  airSensor('Bubble trap (LS-110)'),
  column('Column (COL-1)'),
  controlUnit('Control unit (PCS-4)'),
]
const singleUse = [
  flowKit('Flow kit (FK-01)'),
  diaphragmPump('System pump A (P-101)'),
  diaphragmPump('System pump B (P-102)'),
  uvMonitor('UV monitor (QIA-401)'),
  conductivityMonitor('Conductivity cell (CIA-402)'),
  pressureSensor('Pre-column pressure (PIA-301)'),
  valve('Pinch valves (XV-200)'),
  airSensor('Air trap (LS-110)'),
  controlUnit('Control unit (PCS-4)'),
]
const filtration = [
  membranes('Membrane holder (MH-01)'),
  diaphragmPump('Feed pump (P-301)'),
  peristalticPump('Transfer pump (P-302)'),
  pressureSensor('Feed pressure (PIA-310)'),
  pressureSensor('Permeate pressure (PIA-330)'),
  conductivityMonitor('Conductivity cell (CIA-402)'),
  valve('Retentate valve (PCV-341)'),
]
const readyflux = [flowKit('Flow kit (FK-02)'), ...filtration, controlUnit('Control unit (CU-960)')]

const byType: Readonly<Record<InstrumentType, readonly ComponentSketch[]>> = {
  AKTAAvant: [...bench, fractionCollector('Fraction collector (F9-C)'), airSensor('Air sensor (L9-1.5)')],
  AKTAPure: [...bench, fractionCollector('Fraction collector (F9-R)')],
  AKTAGo: [
    pistonPump('Pump (P9-G)'),
    uvMonitor('UV monitor (U9-L)'),
    conductivityMonitor('Conductivity monitor (C9)'),
    valve('Injection valve (V9-Inj)'),
    valve('Outlet valve (V9-O)'),
    fractionCollector('Fraction collector (F9-R)'),
  ],
  AKTAPilot: pilot,
  AKTAPilot600: pilot,
  AKTAOligosynt: [
    diaphragmPump('Solvent pump A (P-901)'),
    diaphragmPump('Reagent pump B (P-902)'),
    uvMonitor('Trityl monitor (QIA-931)'),
    pressureSensor('Column pressure (PIA-921)'),
    valve('Reagent valve block (XV-910)'),
    valve('Recirculation valve (XV-940)'),
    column('Synthesis column (COL-S)'),
    controlUnit('Control unit (CU-960)'),
  ],
  AKTAProcess: production,
  AKTAProcessCFG: production,
  AKTAReady: singleUse,
  AKTAReadyXL: singleUse,
  AKTAReady450: singleUse,
  AKTAReadyFlux: readyflux,
  AKTAReadyFluxXL: readyflux,
  UniFlux: [...filtration, uvMonitor('UV monitor (QIA-401)'), controlUnit('Control unit (PCS-4)')],
  Wave25: [
    rocker('Rocker (ROCK-1)'),
    gasMixer('CO2 mixer (GMX-20)'),
    gasMixer('O2 mixer (GMX-30)'),
    bagSensor('pH sensor (PHOPT-1)'),
    bagSensor('DO sensor (DOOPT-2)'),
    peristalticPump('Feed pump (PUMP-25)'),
    pressureSensor('Load cell (LC-25)'),
    controlUnit('Control unit (CBCU-25)'),
  ],
  BioProcessIC: [
    controlUnit('Controller (IC-100)'),
    ioModule('I/O station (IO-110)'),
    ioModule('I/O station (IO-120)'),
    battery('UPS (UPS-190)'),
  ],
}

/** Returns the parts of an instrument whose usage is counted, the driving part first. */
export function componentsOf(type: InstrumentType): readonly ComponentSketch[] {
  return byType[type]
}
