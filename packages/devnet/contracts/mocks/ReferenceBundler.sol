// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A stand-in for Bundler3, at its address on the devnet. For development only.
/// @notice Bundler3's `multicall` and `initiator`, without its callbacks.
contract ReferenceBundler {
    struct Call {
        address to;
        bytes data;
        uint256 value;
        bool skipRevert;
        bytes32 callbackHash;
    }

    error AlreadyInitiated();
    error EmptyBundle();
    error CallbacksNotSupported();

    /// @notice The account that started the current bundle. Zero outside a bundle.
    address public transient initiator;

    /// @notice Makes the calls in order, each with its own value.
    function multicall(Call[] calldata bundle) external payable {
        if (initiator != address(0)) revert AlreadyInitiated();
        if (bundle.length == 0) revert EmptyBundle();
        initiator = msg.sender;
        for (uint256 i = 0; i < bundle.length; ++i) {
            _perform(bundle[i]);
        }
        initiator = address(0);
    }

    function _perform(Call calldata step) private {
        if (step.callbackHash != 0) revert CallbacksNotSupported();
        (bool success, bytes memory answer) = step.to.call{value: step.value}(step.data);
        if (success || step.skipRevert) return;
        assembly ("memory-safe") {
            revert(add(answer, 0x20), mload(answer))
        }
    }
}
