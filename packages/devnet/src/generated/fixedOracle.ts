/*! SPDX-License-Identifier: MIT (FixedOracle) */
// Written by scripts/compile.ts.
export const fixedOracleAbi = [
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "fixedPrice",
        "type": "uint256"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [],
    "name": "price",
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

export const fixedOracleBytecode = '0x60a0604052348015600e575f5ffd5b5060405160c938038060c98339810160408190526029916030565b6080526046565b5f60208284031215603f575f5ffd5b5051919050565b608051606f605a5f395f602e0152606f5ff3fe6080604052348015600e575f5ffd5b50600436106026575f3560e01c8063a035b1fe14602a575b5f5ffd5b60507f000000000000000000000000000000000000000000000000000000000000000081565b60405190815260200160405180910390f3fea164736f6c6343000825000a' as const

export const fixedOracleDeployedBytecode = '0x6080604052348015600e575f5ffd5b50600436106026575f3560e01c8063a035b1fe14602a575b5f5ffd5b60507f000000000000000000000000000000000000000000000000000000000000000081565b60405190815260200160405180910390f3fea164736f6c6343000825000a' as const
