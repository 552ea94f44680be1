/*! SPDX-License-Identifier: MIT (IRateAdapter) */
// Written by scripts/compile.ts.
export const rateAdapterAbi = [
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
        "name": "market",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "borrower",
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
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "market",
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
        "name": "market",
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
    "stateMutability": "view",
    "type": "function"
  }
] as const
