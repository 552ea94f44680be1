/*! SPDX-License-Identifier: MIT (SettableRateAdapter) */
// Written by scripts/compile.ts.
export const settableRateAdapterAbi = [
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "market",
        "type": "bytes32"
      }
    ],
    "name": "MarketNotFound",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "name": "debtOf",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "name": "index",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "name": "ratePerSec",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "pure",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "newIndex",
        "type": "uint256"
      }
    ],
    "name": "setIndex",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const

export const settableRateAdapterBytecode = '0x60806040526b033b2e3c9fd0803ce80000005f55348015601d575f5ffd5b506101058061002b5f395ff3fe6080604052348015600e575f5ffd5b50600436106044575f3560e01c806340a5737f1460485780635250fec7146059578063d881a44314607c578063fc70de8114608e575b5f5ffd5b60576053366004609e565b5f55565b005b606a6064366004609e565b505f5490565b60405190815260200160405180910390f35b606a608736600460b4565b5f92915050565b606a6099366004609e565b505f90565b5f6020828403121560ad575f5ffd5b5035919050565b5f5f6040838503121560c4575f5ffd5b82359150602083013573ffffffffffffffffffffffffffffffffffffffff8116811460ed575f5ffd5b80915050925092905056fea164736f6c6343000825000a' as const

export const settableRateAdapterDeployedBytecode = '0x6080604052348015600e575f5ffd5b50600436106044575f3560e01c806340a5737f1460485780635250fec7146059578063d881a44314607c578063fc70de8114608e575b5f5ffd5b60576053366004609e565b5f55565b005b606a6064366004609e565b505f5490565b60405190815260200160405180910390f35b606a608736600460b4565b5f92915050565b606a6099366004609e565b505f90565b5f6020828403121560ad575f5ffd5b5035919050565b5f5f6040838503121560c4575f5ffd5b82359150602083013573ffffffffffffffffffffffffffffffffffffffff8116811460ed575f5ffd5b80915050925092905056fea164736f6c6343000825000a' as const
