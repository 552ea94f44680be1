// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title What is used of Morpho's Bundler3.
interface IBundler3 {
    /// @notice Who started the bundle that runs now; zero between bundles.
    function initiator() external view returns (address);
}
