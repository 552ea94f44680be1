// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// @title An ERC-1271 wallet that can be switched to incorrect behaviour. For tests.
contract SwitchableErc1271Wallet is IERC1271 {
    enum Behaviour {
        Honest,
        BurnGas,
        ReadingsOnly
    }

    error NotOwner();

    address public immutable owner;
    Behaviour public behaviour;

    constructor(address owner_) {
        owner = owner_;
    }

    function setBehaviour(Behaviour chosen) external {
        if (msg.sender != owner) revert NotOwner();
        behaviour = chosen;
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        Behaviour chosen = behaviour;
        if (chosen == Behaviour.BurnGas) {
            assembly {
                for {} 1 {} {}
            }
        }
        // A simulated call typically comes from the zero address with a zero gas price.
        if (chosen == Behaviour.ReadingsOnly && tx.origin != address(0) && tx.gasprice != 0) return 0xffffffff;
        (address signer, ECDSA.RecoverError failure,) = ECDSA.tryRecoverCalldata(hash, signature);
        bool valid = failure == ECDSA.RecoverError.NoError && signer == owner;
        return valid ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    /// @notice Calls `target` from the wallet.
    function execute(address target, bytes calldata data) external returns (bytes memory) {
        if (msg.sender != owner) revert NotOwner();
        (bool success, bytes memory answer) = target.call(data);
        if (success) return answer;
        assembly ("memory-safe") {
            revert(add(answer, 0x20), mload(answer))
        }
    }
}
