/*! SPDX-License-Identifier: MIT (ConstantIrm) */
// Written by scripts/compile.ts.
export const constantIrmAbi = [
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "rate",
        "type": "uint256"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "address",
            "name": "loanToken",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "collateralToken",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "oracle",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "irm",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "lltv",
            "type": "uint256"
          }
        ],
        "internalType": "struct MarketParams",
        "name": "",
        "type": "tuple"
      },
      {
        "components": [
          {
            "internalType": "uint128",
            "name": "totalSupplyAssets",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "totalSupplyShares",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "totalBorrowAssets",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "totalBorrowShares",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "lastUpdate",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "fee",
            "type": "uint128"
          }
        ],
        "internalType": "struct Market",
        "name": "",
        "type": "tuple"
      }
    ],
    "name": "borrowRate",
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
        "components": [
          {
            "internalType": "address",
            "name": "loanToken",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "collateralToken",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "oracle",
            "type": "address"
          },
          {
            "internalType": "address",
            "name": "irm",
            "type": "address"
          },
          {
            "internalType": "uint256",
            "name": "lltv",
            "type": "uint256"
          }
        ],
        "internalType": "struct MarketParams",
        "name": "",
        "type": "tuple"
      },
      {
        "components": [
          {
            "internalType": "uint128",
            "name": "totalSupplyAssets",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "totalSupplyShares",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "totalBorrowAssets",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "totalBorrowShares",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "lastUpdate",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "fee",
            "type": "uint128"
          }
        ],
        "internalType": "struct Market",
        "name": "",
        "type": "tuple"
      }
    ],
    "name": "borrowRateView",
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

export const constantIrmBytecode = '0x60a0604052348015600e575f5ffd5b506040516102e33803806102e3833981016040819052602b916032565b6080526048565b5f602082840312156041575f5ffd5b5051919050565b60805161028461005f5f395f604801526102845ff3fe608060405234801561000f575f5ffd5b5060043610610034575f3560e01c80638c00bf6b146100385780639451fed414610038575b5f5ffd5b61006d61004636600461015c565b7f000000000000000000000000000000000000000000000000000000000000000092915050565b60405190815260200160405180910390f35b60405160a0810167ffffffffffffffff811182821017156100c7577f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b60405290565b60405160c0810167ffffffffffffffff811182821017156100c7577f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b803573ffffffffffffffffffffffffffffffffffffffff81168114610138575f5ffd5b919050565b80356fffffffffffffffffffffffffffffffff81168114610138575f5ffd5b5f5f82840361016081121561016f575f5ffd5b60a081121561017c575f5ffd5b61018461007f565b61018d85610115565b815261019b60208601610115565b60208201526101ac60408601610115565b60408201526101bd60608601610115565b606082015260808581013590820152925060c07fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff60820112156101fd575f5ffd5b506102066100cd565b61021260a0850161013d565b815261022060c0850161013d565b602082015261023160e0850161013d565b6040820152610243610100850161013d565b6060820152610255610120850161013d565b6080820152610267610140850161013d565b60a082015280915050925092905056fea164736f6c6343000825000a' as const

export const constantIrmDeployedBytecode = '0x608060405234801561000f575f5ffd5b5060043610610034575f3560e01c80638c00bf6b146100385780639451fed414610038575b5f5ffd5b61006d61004636600461015c565b7f000000000000000000000000000000000000000000000000000000000000000092915050565b60405190815260200160405180910390f35b60405160a0810167ffffffffffffffff811182821017156100c7577f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b60405290565b60405160c0810167ffffffffffffffff811182821017156100c7577f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b803573ffffffffffffffffffffffffffffffffffffffff81168114610138575f5ffd5b919050565b80356fffffffffffffffffffffffffffffffff81168114610138575f5ffd5b5f5f82840361016081121561016f575f5ffd5b60a081121561017c575f5ffd5b61018461007f565b61018d85610115565b815261019b60208601610115565b60208201526101ac60408601610115565b60408201526101bd60608601610115565b606082015260808581013590820152925060c07fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff60820112156101fd575f5ffd5b506102066100cd565b61021260a0850161013d565b815261022060c0850161013d565b602082015261023160e0850161013d565b6040820152610243610100850161013d565b6060820152610255610120850161013d565b6080820152610267610140850161013d565b60a082015280915050925092905056fea164736f6c6343000825000a' as const
