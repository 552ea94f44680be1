// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A wallet that responds to ERC-1271 calls incorrectly, in a chosen way. For tests.
contract HostileErc1271Wallet {
    enum Behaviour {
        Revert,
        ReturnBomb,
        RevertBomb,
        BurnGas,
        NoAnswer,
        ShortAnswer,
        WrongAnswer,
        DirtyAnswer
    }

    Behaviour public immutable behaviour;

    constructor(Behaviour behaviour_) {
        behaviour = behaviour_;
    }

    function isValidSignature(bytes32, bytes calldata) external view {
        Behaviour chosen = behaviour;
        uint256 magic = uint256(0x1626ba7e) << 224;
        assembly {
            switch chosen
            case 0 { revert(0, 0) }
            // A return bomb: copying the data costs the caller more gas than returning it.
            case 1 {
                mstore(0, shl(224, 0xffffffff))
                return(0, 1000000)
            }
            case 2 {
                mstore(0, magic)
                revert(0, 1000000)
            }
            case 3 { for {} 1 {} {} }
            case 4 { return(0, 0) }
            case 5 {
                mstore(0, magic)
                return(0, 4)
            }
            case 6 {
                mstore(0, 1)
                return(0, 32)
            }
            default {
                mstore(0, or(magic, 1))
                return(0, 32)
            }
        }
    }
}
