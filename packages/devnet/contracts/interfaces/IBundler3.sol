// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The part of Morpho's Bundler3 that the adapter uses.
interface IBundler3 {
    /// @notice The account that started the current bundle. Zero outside a bundle.
    function initiator() external view returns (address);
}
