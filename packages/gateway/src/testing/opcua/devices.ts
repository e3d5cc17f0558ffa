import type { AddressSpace, UAAlarmConditionEx, UAObject, UAVariable } from 'node-opcua-address-space'
import { DataType, StatusCodes } from 'node-opcua-client'

/** A LADS device of one functional unit, built from the published type definitions. */
export function addLadsFreezer(addressSpace: AddressSpace) {
  const namespace = addressSpace.getOwnNamespace()
  const lads = addressSpace.getNamespace('http://opcfoundation.org/UA/LADS/')
  const deviceSet = addressSpace.rootFolder.objects.getFolderElementByName('DeviceSet')
  const deviceType = lads.findObjectType('LADSDeviceType')
  const unitType = lads.findObjectType('FunctionalUnitType')
  if (!deviceSet || !deviceType || !unitType) throw new Error('The nodesets of LADS are not loaded.')
  const device = deviceType.instantiate({
    browseName: 'Freezer',
    namespace,
    organizedBy: deviceSet,
    eventNotifier: 1,
    notifierOf: addressSpace.rootFolder.objects.server,
    optionals: [
      'MachineryBuildingBlocks',
      'OperationCounters',
      'OperationCounters.OperationDuration',
      'OperationCounters.OperationCycleCounter',
    ],
  })
  const unit = unitType.instantiate({
    browseName: 'Cooling',
    namespace,
    componentOf: childOf(device, 'FunctionalUnitSet'),
    eventNotifier: 1,
    notifierOf: device,
    optionals: ['ProgramManager', 'ProgramManager.ActiveProgram.DeviceProgramRunId'],
  })
  // Made at the first alarm, so that tests without it see the bare device.
  let alarms: ReturnType<typeof alarmsOf> | undefined
  const temperatureAlarms = () => {
    const temperature = namespace.addVariable({
      browseName: 'Temperature',
      componentOf: unit,
      eventSourceOf: unit,
      dataType: 'Double',
      value: { dataType: DataType.Double, value: -80 },
    })
    return alarmsOf(addressSpace, { parent: unit, source: temperature })
  }
  setText(childOf(device, 'SerialNumber'), DataType.String, 'FRZ-0815')
  setText(childOf(device, 'Manufacturer'), DataType.LocalizedText, 'Frost & Sons')
  setText(childOf(device, 'Model'), DataType.LocalizedText, 'ULT 80')
  return {
    device,
    unit,
    /** Sets states, the run, counters and the alarm of the unit, or raises a plain event of it. */
    set(given: {
      device?: string
      unit?: string
      run?: string
      hours?: number
      isWarm?: boolean
      event?: { message: string; severity: number }
    }) {
      if (given.device !== undefined) setState(childOf(device, 'DeviceState'), given.device)
      if (given.unit !== undefined) setState(childOf(unit, 'FunctionalUnitState'), given.unit)
      if (given.run !== undefined)
        setText(childOf(unit, 'ProgramManager', 'ActiveProgram', 'DeviceProgramRunId'), DataType.String, given.run)
      if (given.hours !== undefined)
        asVariable(childOf(device, 'OperationCounters', 'OperationDuration')).setValueFromSource({
          dataType: DataType.Double,
          value: given.hours * 3_600_000,
        })
      if (given.isWarm !== undefined) {
        const message = given.isWarm ? 'Chamber at -61 °C, limit -70 °C' : 'Chamber at -80 °C'
        alarms ??= temperatureAlarms()
        alarms.change('Chamber too warm', { isActive: given.isWarm, severity: 800, message })
      }
      if (given.event)
        unit.raiseEvent('BaseEventType', {
          message: { dataType: DataType.LocalizedText, value: { text: given.event.message } },
          severity: { dataType: DataType.UInt16, value: given.event.severity },
        })
    },
  }
}

/** A source with many conditions that can change as fast as wanted, and variables of every kind of value. */
export function addStormSource(addressSpace: AddressSpace) {
  const namespace = addressSpace.getOwnNamespace()
  const { objects } = addressSpace.rootFolder
  const source = namespace.addObject({
    browseName: 'Storm',
    nodeId: 's=Storm',
    organizedBy: objects,
    eventNotifier: 1,
    notifierOf: objects.server,
  })
  const number = namespace.addVariable({
    browseName: 'Number',
    nodeId: 's=Number',
    componentOf: source,
    eventSourceOf: source,
    dataType: 'Double',
    value: { dataType: DataType.Double, value: 1 },
  })
  const text = namespace.addVariable({
    browseName: 'Text',
    nodeId: 's=Text',
    componentOf: source,
    dataType: 'String',
    value: { dataType: DataType.String, value: 'one' },
  })
  const alarms = alarmsOf(addressSpace, { parent: source, source: number })
  const change = (name: string, isActive: boolean, severity = 500) =>
    alarms.change(name, { isActive, severity, message: `${name} is ${isActive ? 'active' : 'over'}` })
  return {
    /** Raises and clears `rounds` times each of `conditions` conditions; the last round stays active if wanted. */
    async rage({ conditions: count, rounds, stays = false }: { conditions: number; rounds: number; stays?: boolean }) {
      for (let round = 1; round <= rounds; round++) {
        for (let at = 0; at < count; at++) change(`Alarm ${at}`, true)
        // Subscriptions send between rounds, as they do while a real process changes.
        await new Promise((resolve) => setTimeout(resolve, 20))
        if (stays && round === rounds) return
        for (let at = 0; at < count; at++) change(`Alarm ${at}`, false)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    /** Raises the condition `Severe`, changes its severity, or ends it. */
    setSeverity(severity: number | null) {
      change('Severe', severity !== null, severity ?? undefined)
    },
    setValue({ number: value, text: words, bad }: { number?: number | 'NaN'; text?: string; bad?: boolean }) {
      if (value !== undefined) number.setValueFromSource({ dataType: DataType.Double, value: Number(value) })
      if (words !== undefined) text.setValueFromSource({ dataType: DataType.String, value: words })
      if (bad) number.setValueFromSource({ dataType: DataType.Double, value: 0 }, StatusCodes.BadSensorFailure)
    },
  }
}

/** Conditions of a variable, each made when it changes for the first time. */
function alarmsOf(addressSpace: AddressSpace, { parent, source }: { parent: UAObject; source: UAVariable }) {
  const type = addressSpace.findEventType('OffNormalAlarmType')
  if (!type) throw new Error('The standard nodeset is not loaded.')
  const conditions = new Map<string, UAAlarmConditionEx>()
  const conditionOf = (name: string) => {
    const known = conditions.get(name)
    if (known) return known
    const made = addressSpace.getOwnNamespace().instantiateAlarmCondition(type, {
      browseName: name,
      componentOf: parent,
      conditionName: name,
      conditionSource: source,
      inputNode: source,
    })
    conditions.set(name, made)
    return made
  }
  return {
    change(name: string, { isActive, ...told }: { isActive: boolean; severity: number; message: string }) {
      const alarm = conditionOf(name)
      alarm.activeState.setValue(isActive)
      alarm.raiseNewCondition({ ...told, retain: isActive, quality: StatusCodes.Good })
    },
  }
}

function childOf(from: UAObject, ...names: string[]): UAObject {
  let at = from
  for (const name of names) {
    const child = at.getChildByName(name) ?? at.getComponentByName(name) ?? at.getPropertyByName(name)
    if (!child) throw new Error(`${at.browseName.toString()} has no ${name}.`)
    at = child as UAObject
  }
  return at
}

function asVariable(node: UAObject): UAVariable {
  return node as unknown as UAVariable
}

function setText(node: UAObject, dataType: DataType.String | DataType.LocalizedText, text: string): void {
  const value = dataType === DataType.LocalizedText ? { text } : text
  asVariable(node).setValueFromSource({ dataType, value })
}

function setState(machine: UAObject, state: string): void {
  setText(childOf(machine, 'CurrentState'), DataType.LocalizedText, state)
}
