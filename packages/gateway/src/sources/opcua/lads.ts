import type { ClientSession, NodeId } from 'node-opcua-client'
import { plain } from './facts.ts'
import { childrenOf, NODE_CLASS_VARIABLE, type Node, nodeAt } from './nodes.ts'

/**
 * Finds the devices of a server that follow LADS (OPC 30500-1): below `DeviceSet`, each with functional units, their
 * states, the run of their program, and operation counters. Nodes are found by their browse names, which the standard
 * fixes; everything optional may be missing. The state of each device is derived from those of its units.
 */

export interface LadsDevice extends Node {
  serialNumber: string | null
  manufacturer: string | null
  model: string | null
  deviceState: NodeId | null
  units: { name: string; state: NodeId; runningState: NodeId | null; run: NodeId | null }[]
  counters: Node[]
}

export async function ladsDevices(session: ClientSession): Promise<LadsDevice[]> {
  const { resolveNodeId } = await import('node-opcua-client')
  const set = await nodeAt(session, resolveNodeId('ObjectsFolder'), 'DeviceSet')
  if (!set) return []
  const [candidates = []] = await childrenOf(session, [set])
  const devices: LadsDevice[] = []
  for (const node of candidates) {
    const units = await nodeAt(session, node.id, 'FunctionalUnitSet')
    if (units) devices.push(await deviceOf(session, node, units))
  }
  return devices
}

async function deviceOf(session: ClientSession, node: Node, units: NodeId): Promise<LadsDevice> {
  const { id } = node
  const text = async (property: string) => {
    const at = (await nodeAt(session, id, property)) ?? (await nodeAt(session, id, 'Identification', property))
    if (!at) return null
    const { value } = await session.read({ nodeId: at, attributeId: 13 })
    const given = plain(value.value, [])
    return typeof given === 'string' && given !== '' ? given : null
  }
  const [members = []] = await childrenOf(session, [units])
  const found: LadsDevice['units'] = []
  for (const unit of members) {
    const state = await nodeAt(session, unit.id, 'FunctionalUnitState', 'CurrentState')
    if (!state) continue
    found.push({
      name: unit.name,
      state,
      runningState: await nodeAt(session, unit.id, 'FunctionalUnitState', 'RunningStateMachine', 'CurrentState'),
      run: await nodeAt(session, unit.id, 'ProgramManager', 'ActiveProgram', 'DeviceProgramRunId'),
    })
  }
  const counters =
    (await nodeAt(session, id, 'OperationCounters')) ??
    (await nodeAt(session, id, 'MachineryBuildingBlocks', 'OperationCounters'))
  const [counted = []] = counters ? await childrenOf(session, [counters]) : []
  return {
    ...node,
    serialNumber: await text('SerialNumber'),
    manufacturer: await text('Manufacturer'),
    model: await text('Model'),
    deviceState: await nodeAt(session, id, 'DeviceState', 'CurrentState'),
    units: found,
    counters: counted.filter(({ nodeClass }) => nodeClass === NODE_CLASS_VARIABLE),
  }
}

/** States of functional units; the first that any unit is in speaks for the device. */
const unitStates = ['Aborted', 'Aborting', 'Clearing', 'Running', 'Stopping', 'Stopped']

/** States in which the program of a unit is running; afterwards servers keep the id of its last run. */
const runningStates = ['Running', 'Stopping', 'Aborting']

export interface LadsUnit {
  name: string
  /** Functional state such as `Running`. */
  state: string | null
  /** State within Running, such as `Execute` or `Held`. */
  runningState: string | null
  /** `DeviceProgramRunId` of the active program. */
  run: string | null
}

interface LadsState {
  state: string
  /** The unit that the state is from; null for the state of the device itself. */
  unit: string | null
  runningState: string | null
  /** The run in progress. */
  run: string | null
}

/**
 * Returns the state that an operator would name, because an instrument has one status: that of the device unless it
 * operates, otherwise the most serious of its units. Null while nothing is known.
 */
export function ladsState(deviceState: string | null, units: readonly LadsUnit[]): LadsState | null {
  const known = units.filter(({ state }) => state !== null)
  const isOperating = deviceState === null || deviceState === 'Operate'
  if (!isOperating || known.length === 0)
    return deviceState === null ? null : { state: deviceState, unit: null, runningState: null, run: null }
  const rank = ({ state }: LadsUnit) => {
    const at = unitStates.indexOf(state ?? '')
    return at < 0 ? unitStates.length : at
  }
  const [first] = known.toSorted((a, b) => rank(a) - rank(b))
  if (!first) return null
  const { name, state, runningState, run } = first
  return {
    state: state ?? '',
    unit: name,
    runningState: state === 'Running' ? runningState : null,
    run: runningStates.includes(state ?? '') ? run || null : null,
  }
}
