"""A Modbus TCP server of pymodbus.

Its argument is the port. Each line of standard input, such as `3 10 17 4`, sets values of a function code from an
address on.
"""

import sys
from threading import Thread

from pymodbus.datastore import ModbusSequentialDataBlock, ModbusServerContext, ModbusSlaveContext
from pymodbus.server import StartTcpServer

blocks = {table: ModbusSequentialDataBlock(0, [0] * 100) for table in ("co", "di", "hr", "ir")}
slave = ModbusSlaveContext(**blocks, zero_mode=True)


def listen():
    for line in sys.stdin:
        function, address, *values = (int(word) for word in line.split())
        slave.setValues(function, address, values)
        print("set", flush=True)


Thread(target=listen, daemon=True).start()
StartTcpServer(
    context=ModbusServerContext(slaves=slave, single=True),
    address=("127.0.0.1", int(sys.argv[1])),
    # Otherwise the port of a killed server stays taken for a minute.
    allow_reuse_address=True,
)
